import { expect, test } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { createDatabase } from '#tests/support/worlds/database.ts'

test('each test database is its own, and dropping it ends whoever is still connected', async () => {
  const [one, two] = await Promise.all([createDatabase(), createDatabase()])
  const [first, second] = [one, two].map(({ url }) => connect(url, { max: 1 })) as [Pool, Pool]
  await first`create table only_here (id int)`
  await expect(second`select * from only_here`).rejects.toThrow(/does not exist/)

  await Promise.all([one.drop(), two.drop()])
  await expect(first`select 1`).rejects.toThrow()
  await Promise.all([first.end(), second.end()])
})
