/**
 * Returns the whole environment of a local plugin, without any variable of the server. The workspace's
 * variables (`more`) can change PATH, HOME and LANG, but not the variables that the server sets after them.
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
