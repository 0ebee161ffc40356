/** A wiki as TiddlyWiki is given it. `key` names this very state of it: what was loaded under it is not loaded again. */
export type LoadedWiki = {
  key: string
  /** Its tiddlers as TiddlyWiki's own JSON. */
  load: () => Promise<string>
}

/** What a file brought: the tiddlers as JSON of rows (`lib/features/wikis/store.ts`), and what was left out. */
export type ParsedFile = {
  rows: string
  count: number
  skipped: { title: string; why: string }[]
  skippedCount: number
}

/** A node of a tree of tags. */
export type TocNode = { title: string; children?: TocNode[]; more?: true }

/** Something wrong with a tiddler, found when it was rendered. */
export type WikiError = {
  title: string
  kind:
    | 'undefined-widget'
    | 'undefined-macro'
    | 'missing-transclusion'
    | 'recursive-transclusion'
    | 'filter-error'
    | 'missing-link'
    | 'does-not-render'
  detail: string
}

/** What TiddlyWiki can be asked, and what it answers. Those `in` a wiki need one. */
export type WikiTasks = {
  parse: { ask: { type: '.json' | '.tid' | '.html'; text: string; name: string }; answer: ParsedFile | null }
  wikitext: { ask: { text: string }; answer: string }
  tiddler: { ask: { title: string; home: string }; answer: string }
  backlinks: {
    ask: { title: string; limit: number; skip: string[] }
    answer: { titles: string[]; total: number; done: boolean }
  }
  toc: {
    ask: { title?: string | undefined; depth: number; most: number }
    answer: { nodes: TocNode[]; cut: boolean }
  }
  errors: {
    ask: { title?: string | undefined; offset: number; most: number; skip: string[] }
    answer: { errors: WikiError[]; checked: number; total: number; nextOffset: number | null }
  }
  html: { ask: Record<string, never>; answer: string }
}
export type WikiTask = keyof WikiTasks

/** `failed`: TiddlyWiki threw; `late`: it took too long, or more memory than there is; `at`: the tiddler it was at then. */
export type WikiAnswer<T> =
  | { kind: 'done'; value: T }
  | { kind: 'failed'; why: string }
  | { kind: 'late'; at?: string | undefined }
  | { kind: 'busy' }

/** Asks TiddlyWiki, on a thread of its own, whatever becomes of it. `lane`: for whom (`laneOf`); lanes take turns. */
export type WikiEngine = <Task extends WikiTask>(
  task: Task,
  ask: WikiTasks[Task]['ask'],
  lane: string,
  wiki?: LoadedWiki
) => Promise<WikiAnswer<WikiTasks[Task]['answer']>>
