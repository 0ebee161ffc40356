import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { SomeTools } from './some-tools.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'

/** The fields for the tools of an MCP server. */
export function McpToolFields(props: ToolFieldsProps) {
  const field = fieldsOf(props)
  const { name: _, value: server, ...mcp } = field<string>('mcp')
  const { data } = useRead({ queryKey: ['mcp servers'], queryFn: () => client.call('listMcpServers') })
  const servers = data?.servers ?? []
  const offer = useRead({
    queryKey: ['mcp server', server],
    queryFn: () => client.call('getMcpServer', { path: { server } }),
    enabled: servers.some(known => known.server === server)
  })
  return (
    <>
      <PickOrType
        {...mcp}
        value={server}
        label="MCP server"
        hint="The name of its integration under Connections, or of a program on the server."
        options={servers.map(({ server, service }) => ({
          value: server,
          label: service === server ? server : `${server} (${service})`
        }))}
        note="No MCP servers yet. Add one under Connections."
      />
      <SomeTools {...field('tools')} known={offer.data?.offers} />
    </>
  )
}
