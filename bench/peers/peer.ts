/** The environment of a server: its folder with the installed packages, the model, and a database of its own. */
export type Place = {
  folder: string
  /** The base URL of the model, with `/v1`. Its key does not matter. */
  modelUrl: string
  /** A Postgres database, for servers that use one. It is empty in each round. */
  databaseUrl: string
  /** A free port. */
  port: number
}

/** How a run ended: `parked` means that it waits for an approval. */
export type Outcome = 'done' | 'parked'

/**
 * A server to compare with. Its agent has one tool, `deploy` with the text `target`, which needs an approval and returns
 * at once.
 */
export type Peer = {
  name: string
  /** A phrase for the published table: the data that the server stores before it continues. */
  stores: string
  /** The npm packages to install, with exact versions. */
  packages: Record<string, string>
  /** The files of its project, by path. `package.json` is made from `packages`. */
  files(place: Place): Record<string, string>
  /** Builds the project, if it has a production build. */
  build?(place: Place): Promise<void>
  /** Prepares the empty database of a round, if it needs more than the server's start. */
  prepare?(place: Place): Promise<void>
  /** The files and folders with its data, which are deleted before each round. */
  data?: readonly string[]
  /** Starts the server as a production server, and resolves when it accepts requests. */
  start(place: Place): Promise<RunningPeer>
}

export type RunningPeer = AsyncDisposable & {
  /** The server process. */
  pid: number
  createSession(): Promise<string>
  /** Sends a user message, and resolves as soon as a client learns that the run has ended or waits. */
  send(sessionId: string, text: string): Promise<Outcome>
  /** Approves the pending call, and resolves as soon as a client learns that the run has ended. */
  approve(sessionId: string): Promise<void>
}
