/** A user with an account at Acme. */
export type Person = { id: string; name: string; email: string }

/** The sample accounts. Acme has no other users. */
export const people: readonly Person[] = [
  { id: 'ada', name: 'Ada Okafor', email: 'ada.okafor@acme.example' },
  { id: 'ben', name: 'Ben Castillo', email: 'ben.castillo@acme.example' }
]

/** Returns the user with this ID, or undefined if there is none. */
export const personOf = (id: string | undefined): Person | undefined =>
  people.find(person => person.id === id)
