import { expect, test } from 'vitest'
import { connect, type Pool } from '#db/client.ts'
import { createDatabase } from '#tests/support/servers/database.ts'

test('each test has its own database, and dropping it closes all its connections', async () => {
  const [databaseA, two] = await Promise.all([createDatabase(), createDatabase()])
  const [first, second] = [databaseA, two].map(({ url }) => connect(url, { max: 1 })) as [Pool, Pool]
  await first`create table only_here (id int)`
  await expect(second`select * from only_here`).rejects.toThrow(/does not exist/)

  await Promise.all([databaseA.drop(), two.drop()])
  await expect(first`select 1`).rejects.toThrow()
  await Promise.all([first.end(), second.end()])
})
