import { amount, json, optional, trimmed } from '#components/forms/text-format.ts'
import { ValueField } from '#components/forms/value-field.tsx'
import { SchemaEditor } from './schema-editor.tsx'
import { fieldsOf, type ToolFieldsProps } from './tool-fields.ts'

/** The fields of a tool that another service answers over HTTP (docs/api.md#external-tools). */
export function HttpToolFields(props: ToolFieldsProps) {
  const field = fieldsOf(props)
  return (
    <>
      <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
        <ValueField
          {...field('name')}
          as={trimmed}
          label="Name for the model"
          hint="Letters, digits, - and _."
          required
          mono
        />
        <ValueField
          {...field('title')}
          as={optional}
          label="Name for people"
          hint="Cards show it. Leave empty to show the other name."
        />
      </div>
      <ValueField
        {...field('url')}
        as={trimmed}
        label="URL"
        hint="Each call is sent to this URL in a POST request."
        inputMode="url"
        required
        mono
      />
      <ValueField
        {...field('description')}
        label="Description for the model"
        hint="Says when to call the tool, and what it returns."
        rows={3}
      />
      <SchemaEditor {...field('inputSchema')} label="Arguments" />
      <div className="grid items-start gap-x-4 gap-y-3 mid:grid-cols-2">
        <ValueField
          {...field('outputSchema')}
          as={json}
          label="Schema of the result"
          hint="Optional, as a JSON Schema. Results that do not match are errors."
          rows={4}
          mono
        />
        <ValueField
          {...field('retries')}
          as={amount}
          label="Retries"
          hint="0 to 10. With retries, the service may receive a call twice."
          inputMode="numeric"
        />
      </div>
    </>
  )
}
