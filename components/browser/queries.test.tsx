import { renderToString } from 'react-dom/server'
import { expect, test, vi } from 'vitest'
import { QueriesProvider, useRead } from './queries.tsx'

function Reader() {
  const { data } = useRead({ queryKey: ['a'], queryFn: () => 'loaded' })
  return <p>{data ?? 'loading'}</p>
}

test('on a server, a component that reads data does not ask for the time, so that Next.js can prerender it', () => {
  const clock = vi.spyOn(Date, 'now')
  try {
    const html = renderToString(
      <QueriesProvider>
        <Reader />
      </QueriesProvider>
    )
    expect(html).toBe('<p>loading</p>')
    expect(clock).not.toHaveBeenCalled()
  } finally {
    clock.mockRestore()
  }
})
