/** A browser as far as HTTP goes: it keeps cookies by origin and says where its forms come from. */
export class Browser {
  readonly #jars = new Map<string, Map<string, string>>()
  readonly #home: string

  /** `home`: the origin that its forms are on. */
  constructor(home: string) {
    this.#home = home
  }

  /** The cookies that it would send there, as a header. */
  cookies(origin = this.#home): string {
    return [...(this.#jars.get(origin) ?? [])].map(([name, value]) => `${name}=${value}`).join('; ')
  }

  /**
   * One request, without following where it leads. With `?go` behind it, as a person who is sure: where a page of ours asks
   * before it goes on, they press its button.
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
      if (value === '' || attributes.some(one => /^max-age=0$/i.test(one))) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Follows redirects to their end; where that was, and what it said. */
  async open(address: string, init: RequestInit = {}): Promise<{ url: URL; status: number; text: string }> {
    let url = new URL(address, this.#home)
    let response = await this.ask(url.href, init)
    for (let hops = 0; response.headers.has('location') && hops < 10; hops++) {
      url = new URL(response.headers.get('location') ?? '', url)
      response = await this.ask(url.href)
    }
    return { url, status: response.status, text: await response.text() }
  }

  /** Presses the button of a form of ours. */
  press(path: string, fields: Record<string, string> = {}) {
    return this.open(path, {
      method: 'POST',
      headers: { origin: this.#home, 'sec-fetch-site': 'same-origin' },
      body: new URLSearchParams(fields)
    })
  }
}
