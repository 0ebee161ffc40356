import tiddlywiki, { type Tw } from 'tiddlywiki'

/**
 * TiddlyWiki, begun once in a thread. Nothing of a workspace is given to it before it has begun: scripts of the tiddlers it
 * begins with are run.
 */
export async function boot(): Promise<Tw> {
  const $tw = tiddlywiki.TiddlyWiki()
  // Without an argument it prints its help.
  $tw.boot.argv = ['--version']
  $tw.boot.disabledStartupModules = ['commands']
  await new Promise<void>(resolve => $tw.boot.boot(resolve))
  return $tw
}
