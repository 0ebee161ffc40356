import type { Listening, ListenOptions } from './listen.ts'

/**
 * Serves a plugin as a program: prints the handshake line, and exits when its standard input closes. The server
 * that started it has then ended. Without `PLUGIN_TOKEN`, the program was started by hand and runs until it is
 * stopped. Only then it uses `tls`, because a server calls its own programs without TLS.
 */
export async function serveProgram(
  { address, tls }: Omit<ListenOptions, 'token'>,
  listen: (options: ListenOptions) => Promise<Listening>
): Promise<Listening> {
  const { PLUGIN_LISTEN_ADDR, PLUGIN_TOKEN: token } = process.env
  const options = token ? { token } : { tls }
  const listening = await listen({ address: PLUGIN_LISTEN_ADDR || address, ...options })
  if (token) process.stdin.resume().once('end', () => process.exit(0))
  console.log(`1|1|tcp|${listening.address}|grpc`)
  return listening
}
