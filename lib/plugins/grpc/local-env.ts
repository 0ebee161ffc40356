/**
 * The whole environment of a local plugin: nothing of the server's is in it. The workspace's variables (`more`) may change PATH,
 * HOME and LANG, and none of what the plugin is told by us.
 */
export const localEnv = ({
  cwd,
  token,
  more
}: {
  cwd: string
  token: string
  more: Record<string, string>
}): Record<string, string> => ({
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: cwd,
  LANG: 'C.UTF-8',
  ...more,
  PLUGIN_TOKEN: token,
  PLUGIN_LISTEN_ADDR: '127.0.0.1:0',
  PORT: '0'
})
