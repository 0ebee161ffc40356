import { client } from '#components/browser/client.ts'
import { useRead } from '#components/browser/queries.tsx'
import { PickOrType } from '#components/forms/pick-or-type.tsx'
import { SomeTools } from './some-tools.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'

/** The fields for the tools of a gRPC plugin. */
export function PluginToolFields(props: ToolFieldsProps) {
  const field = fieldsOf(props)
  const { name: _, value: plugin, ...rest } = field<string>('plugin')
  const { data } = useRead({ queryKey: ['plugins'], queryFn: () => client.call('listHostedPlugins') })
  const withTools = (data?.plugins ?? []).filter(({ tools }) => tools.length > 0)
  return (
    <>
      <PickOrType
        {...rest}
        value={plugin}
        label="Plugin"
        options={[
          ...withTools.map(({ name }) => ({ value: name, label: name })),
          { value: '*', label: 'All plugins of the workspace' }
        ]}
        note="No plugins with tools."
      />
      <SomeTools {...field('tools')} known={withTools.find(({ name }) => name === plugin)?.tools} />
    </>
  )
}
