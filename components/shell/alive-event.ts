/** Tells the page that React handles its events: the clicks that `early-clicks.ts` holds back are repeated. */
export const aliveEvent = 'waystation:alive'
