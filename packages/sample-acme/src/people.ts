/** Somebody with an account at Acme. */
export type Person = { id: string; name: string; email: string }

export const people: readonly Person[] = [
  { id: 'ada', name: 'Ada Okafor', email: 'ada.okafor@acme.example' },
  { id: 'ben', name: 'Ben Castillo', email: 'ben.castillo@acme.example' }
]

export const personOf = (id: string | undefined): Person | undefined => people.find(one => one.id === id)
