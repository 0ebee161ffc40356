export type Theme = 'system' | 'light' | 'dark'

/** The theme that a cookie or an attribute names; anything else is the system's. */
export const themeOf = (value: string | undefined): Theme =>
  value === 'light' || value === 'dark' ? value : 'system'
