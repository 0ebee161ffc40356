import { Component, type ReactNode } from 'react'

type Props = { fallback: ReactNode; children: ReactNode }

/** Shows `fallback` if a custom widget throws, so that the call can still be answered. React logs the error. */
export class WidgetBoundary extends Component<Props, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError = () => ({ failed: true })

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <>
        <p role="alert" data-hook="widget-failed" className="text-ui text-fail">
          The custom card of this page failed. This is the standard card.
        </p>
        {this.props.fallback}
      </>
    )
  }
}
