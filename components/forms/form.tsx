import type { ComponentProps } from 'react'

type FormProps = Omit<ComponentProps<'form'>, 'onSubmit'> & { onSubmit: () => unknown }

/** A form whose fields show their own errors, instead of the browser's messages. */
export const Form = ({ onSubmit, ...props }: FormProps) => (
  <form
    {...props}
    noValidate
    onSubmit={event => {
      event.preventDefault()
      // React bubbles the event to a form around this one.
      event.stopPropagation()
      void onSubmit()
    }}
  />
)
