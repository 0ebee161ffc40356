export type Theme = 'system' | 'light' | 'dark'

/** Returns the theme that a cookie or an attribute names. Default: `system`. */
export const themeOf = (value: string | undefined): Theme =>
  value === 'light' || value === 'dark' ? value : 'system'
