/** A part of the rail between the last row and the dock. */
export const RailLine = ({ className }: { className: string }) => (
  <span aria-hidden="true" className={`absolute -ml-px w-0.5 bg-rail ${className}`} />
)
