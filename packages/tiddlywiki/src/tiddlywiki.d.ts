/** The types that this server needs of TiddlyWiki 5.4, which includes none. */
declare module 'tiddlywiki' {
  export type Fields = Record<string, string>
  export type Tiddler = {
    fields: { title: string; text?: string; type?: string; tags?: string[]; [field: string]: unknown }
    getFieldStrings(): Fields
  }
  export type ParseNode = {
    type: string
    rule?: string
    start?: number
    end?: number
    attributes?: Record<string, { type: string; value?: unknown; start?: number; end?: number }>
    children?: ParseNode[]
  }
  export type Element = { innerHTML: string; textContent: string }
  export type Widget = {
    children?: Widget[]
    parentWidget?: Widget
    parseTreeNode?: { type?: string; text?: string }
    to?: string
    transcludeVariable?: string
    transcludeTitle?: string
    render(parent: Element, next: null): void
    getVariableInfo(name: string): { text?: string; srcVariable?: unknown }
    hasAttribute(name: string): boolean
  }
  export type Wiki = {
    addTiddler(tiddler: Tiddler | Fields): void
    addTiddlers(tiddlers: (Tiddler | Fields)[]): void
    readPluginInfo(): void
    registerPluginTiddlers(type: string): void
    unpackPluginTiddlers(): void
    getTiddler(title: string): Tiddler | undefined
    tiddlerExists(title: string): boolean
    isShadowTiddler(title: string): boolean
    isSystemTiddler(title: string): boolean
    allTitles(): string[]
    filterTiddlers(filter: string): string[]
    getTiddlerText(title: string): string | undefined
    getTiddlersWithTag(tag: string): string[]
    getTagMap(): Record<string, string[]>
    parseText(type: string, text: string): { tree: ParseNode[] } | null
    extractLinks(tree: object[]): string[]
    deserializeTiddlers(type: string, text: string, fields: Fields): Fields[]
    renderTiddler(output: string, title: string): string
    renderText(output: string, type: string, text: string, options?: object): string
    makeWidget(parser: { tree: object[] }, options: object): Widget
    makeTranscludeWidget(title: string, options: object): Widget
  }
  export type Tw = {
    boot: {
      argv: string[]
      disabledStartupModules: string[]
      bootPath: string
      corePath: string
      boot(done: () => void): void
    }
    fakeDocument: { createElement(tag: string): Element }
    utils: { parseDate(text: string): Date | null; stringifyList(titles: string[]): string }
    wiki: Wiki
    Wiki: new () => Wiki
    Tiddler: new (fields: Fields) => Tiddler
    loadTiddlersFromPath(path: string): { tiddlers: Fields[] }[]
    loadPluginFolder(path: string): Fields
  }
  const tiddlywiki: { TiddlyWiki(): Tw }
  export default tiddlywiki
}
