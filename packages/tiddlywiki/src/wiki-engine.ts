/**
 * A wiki to load into TiddlyWiki. `key` identifies its current state: a state that is already loaded is not loaded
 * again.
 */
export type LoadedWiki = {
  key: string
  /** Returns its tiddlers as TiddlyWiki JSON. */
  load: () => Promise<string>
}

/** The content of an imported file: tiddlers as rows for a database, in JSON, and skipped entries. */
export type ParsedFile = {
  rows: string
  count: number
  skipped: { title: string; why: string }[]
  skippedCount: number
}

/** A node in a tree of tags. */
export type TocNode = { title: string; children?: TocNode[]; more?: true }

/** An error in a tiddler, found by rendering it. */
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

/** TiddlyWiki's operations, with their inputs and results. Operations on a wiki need one. */
export type WikiTasks = {
  parse: { ask: { type: '.json' | '.tid' | '.html'; text: string; name: string }; answer: ParsedFile | null }
  /** With a wiki, in its context. `title` is the current tiddler, and without `home`, links to tiddlers are removed. */
  wikitext: {
    ask: { text: string; title?: string | undefined; home?: string | undefined }
    answer: string
  }
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
  filter: { ask: { filter: string; most: number }; answer: { titles: string[]; total: number } }
  relink: {
    ask: { from: string; to: string; most: number }
    answer: { tiddlers: { title: string; text?: string; tags?: string[]; list?: string }[]; total: number }
  }
  html: { ask: Record<string, never>; answer: string }
}
export type WikiTask = keyof WikiTasks

/** `failed`: TiddlyWiki threw. `late`: it ran out of time or memory, at the tiddler `at`. */
export type WikiAnswer<T> =
  | { kind: 'done'; value: T }
  | { kind: 'failed'; why: string }
  | { kind: 'late'; at?: string | undefined }
  | { kind: 'busy' }

/** Runs an operation of TiddlyWiki in another thread. `lane` is for fair scheduling. */
export type WikiEngine = <Task extends WikiTask>(
  task: Task,
  ask: WikiTasks[Task]['ask'],
  lane: string,
  wiki?: LoadedWiki
) => Promise<WikiAnswer<WikiTasks[Task]['answer']>>

/** Runs an operation on one wiki. */
export type AskWiki = <Task extends WikiTask>(
  task: Task,
  ask: WikiTasks[Task]['ask']
) => Promise<WikiAnswer<WikiTasks[Task]['answer']>>
