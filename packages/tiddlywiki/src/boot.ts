import tiddlywiki, { type Tw } from 'tiddlywiki'

/**
 * Boots TiddlyWiki. Runs once per thread, before the thread receives any workspace data, because TiddlyWiki
 * runs the scripts of tiddlers that are present at boot.
 */
export async function boot(): Promise<Tw> {
  const $tw = tiddlywiki.TiddlyWiki()
  // Without an argument, TiddlyWiki prints its help.
  $tw.boot.argv = ['--version']
  $tw.boot.disabledStartupModules = ['commands']
  await new Promise<void>(resolve => $tw.boot.boot(resolve))
  return $tw
}
