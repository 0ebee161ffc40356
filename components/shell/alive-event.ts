/** The event that `alive.tsx` sends once React handles the page's events. */
export const aliveEvent = 'waystation:alive'
