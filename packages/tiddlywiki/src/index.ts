export { wikiEngine } from './engine.ts'
export { wikiBacklinks, wikiErrors, wikiToc } from './query-wiki.ts'
export { toRendered, valueOrThrow } from './render-result.ts'
export type { AskWiki, LoadedWiki, TocNode, WikiEngine, WikiTasks } from './wiki-engine.ts'
