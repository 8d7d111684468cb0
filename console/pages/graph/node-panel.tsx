import { CopyButton } from '../../parts/copy-button.tsx'
import type { Drawing, DrawnNode } from '../../parts/force-graph/drawing.ts'
import { Icon } from '../../parts/icon.tsx'
import { plainText } from '../../parts/result/cells.ts'
import { type Around, maxNeighbours } from './neighbours.ts'
import { patternOf } from './pattern.ts'

type NodePanelProps = {
  readonly node: DrawnNode
  readonly drawing: Pick<Drawing, 'links'>
  readonly around: Around | undefined
  readonly onAsk: (text: string) => void
  readonly onClose: () => void
}

/** The node that was clicked, with its properties. */
export function NodePanel({ node, drawing, around, onAsk, onClose }: NodePanelProps) {
  const out = drawing.links.filter(({ from }) => from === node.id).length
  const into = drawing.links.filter(({ to }) => to === node.id).length
  const properties = Object.entries(around?.properties ?? {})
  return (
    <section class="node-panel" aria-label="Node" aria-live="polite">
      <div class="row spread">
        <h3>
          <span class="soft">{node.label}</span> {node.name}
        </h3>
        <div class="row">
          <button type="button" class="button small" onClick={() => onAsk(`s=>${patternOf(node)}-[*]->(*)`)}>
            Ask for it
          </button>
          <CopyButton text={patternOf(node)} label="Copy pattern" />
          <button type="button" class="button small quiet" aria-label="Close the node" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
      </div>
      <p class="soft small">
        {out} {out === 1 ? 'relation' : 'relations'} out of it and {into} into it are drawn
        {around?.isCut && `; it has more than the ${maxNeighbours} each way that a click brings`}
      </p>
      {properties.length > 0 && (
        <dl class="node-properties">
          {properties.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd class="mono">{plainText(value).slice(0, 300)}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  )
}
