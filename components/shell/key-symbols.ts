const names: Record<string, string> = { alt: 'Alt', ArrowUp: '↑', ArrowDown: '↓', Escape: 'Esc' }

/** Returns the keys as they are written on the user's keyboard. */
export function keySymbols(keys: string): string {
  const mod = /Mac|iP/.test(navigator.platform) ? '⌘' : 'Ctrl'
  const written = keys.split('+').map(key => (key === 'mod' ? mod : (names[key] ?? key)))
  return written.join(' ')
}
