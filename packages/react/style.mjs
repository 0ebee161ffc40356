import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transform } from 'esbuild'
import { compile } from 'tailwindcss'

/**
 * Returns the playground's styles for a frame in a host page.
 * - All rules are under `.waystation` and in no cascade layer. They do not change the host page, and its
 *   rules do not override them.
 * - Widths refer to the frame. Only elements outside it, such as menus and sheets, use the width of the
 *   window.
 * - The host page can set each token: `--waystation-ink` for `--color-ink`.
 *
 * @param {string} root folder of the repository
 * @param {string} text source code that contains the class names in use
 */
export async function makeStyle(root, text) {
  const read = (/** @type {string[]} */ ...path) => readFileSync(join(root, ...path), 'utf8')
  const theme = read('components', 'ui', 'theme.css')
    .replace(/^\s*--breakpoint-.*$/gm, '')
    .replace(/--(color|font)-([a-z-]+): (?!initial)([^;]+);/g, (_, kind, name, value) => {
      const outside = kind === 'color' ? name : `${kind}-${name}`
      return `--${kind}-${name}: var(--waystation-${outside}, ${value});`
    })
  const { build } = await compile(
    `${read('node_modules', 'tailwindcss', 'theme.css')}
    ${theme}
    @custom-variant mid (@container waystation (width >= 800px));
    @custom-variant max-mid {
      @container waystation (width < 800px) { @slot; }
      @media (width < 800px) { @slot; }
    }
    @custom-variant wide (@container waystation (width >= 1200px));
    ${read('components', 'ui', 'utilities.css')}
    .waystation {
      ${read('node_modules', 'tailwindcss', 'preflight.css')}
      ${read('components', 'ui', 'base.css')}
      ${read('components', 'session', 'content', 'prose.css')}
      @tailwind utilities;
    }
    ${frame}`,
    { base: root }
  )
  const css = build([...new Set(text.split(/[\s'"`]+/))]).replaceAll(':root, :host', '.waystation')
  const { code } = await transform(css, {
    loader: 'css',
    minify: true,
    target: ['chrome111', 'firefox113', 'safari16.4']
  })
  return code
}

/** Styles of the frame, like those of `body` in the playground. */
const frame = `
.waystation {
  display: flex;
  flex-direction: column;
  box-sizing: border-box;
  min-width: 0;
  background: var(--color-ground);
  color: var(--color-ink);
  font: 400 var(--text-ui)/var(--text-ui--line-height) var(--font-sans);
  text-align: start;
  -webkit-text-size-adjust: 100%;
}
.waystation-fill {
  height: 100%;
  min-height: 0;
}
.waystation-frame {
  flex: 1;
  min-height: 0;
  container: waystation / inline-size;
}
.waystation-fill .waystation-frame > * {
  height: 100%;
}
`
