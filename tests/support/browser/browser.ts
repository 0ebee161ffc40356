/** A minimal browser for HTTP tests. It stores cookies by origin and sends the `Origin` of its forms. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>()
  readonly #home: string

  /** `home` is the origin of its forms. */
  constructor(home: string) {
    this.#home = home
  }

  /** Returns the `Cookie` header that it would send to an origin. */
  cookies(origin = this.#home): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /**
   * Sends one request without following redirects. With `?go` at the end of the URL, it also presses the button of
   * a confirmation page of ours.
   */
  async ask(address: string, init: RequestInit = {}): Promise<Response> {
    const response = await this.#ask(address, init)
    if (!address.endsWith('?go')) return response
    const go = /href="([^"]+\?go=[^"]+)"/.exec(await response.clone().text())?.[1]
    return go === undefined ? response : this.#ask(go)
  }

  async #ask(address: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(address, this.#home)
    const response = await fetch(new URL(address, this.#home), {
      ...init,
      redirect: 'manual',
      headers: { cookie: this.cookies(origin), ...init.headers }
    })
    const jar = this.#jars.get(origin) ?? new Map<string, string>()
    this.#jars.set(origin, jar)
    for (const cookie of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = cookie.split(/; */)
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || attributes.some(attribute => /^max-age=0$/i.test(attribute))) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Follows redirects and returns the URL, status and text of the last response. */
  async open(address: string, init: RequestInit = {}): Promise<{ url: URL; status: number; text: string }> {
    let url = new URL(address, this.#home)
    let response = await this.ask(url.href, init)
    for (let hops = 0; response.headers.has('location') && hops < 10; hops++) {
      url = new URL(response.headers.get('location') ?? '', url)
      response = await this.ask(url.href)
    }
    return { url, status: response.status, text: await response.text() }
  }

  /** Submits a form of ours. */
  press(path: string, fields: Record<string, string> = {}) {
    return this.open(path, {
      method: 'POST',
      headers: { origin: this.#home, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields)
    })
  }
}
