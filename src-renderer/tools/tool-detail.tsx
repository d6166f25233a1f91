import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { placeInSight } from '#renderer/library/place-in-sight.ts';
import { useCurrentFlow } from '#renderer/stores/use-current-flow.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { JsonSchema } from '#shared/json.ts';
import { ParameterTable } from './parameter-table.tsx';
import { closeToolBrowser } from './tool-browser-store.ts';
import styles from './tool-detail.module.css';
import { TryTool } from './try-tool.tsx';

const effects: Record<ToolInfo['effect'], string> = { none: 'touches nothing', read: 'only reads', write: 'changes something' };

/** One tool: what it does, what it takes and gives, and a form to try it. */
export function ToolDetail({ tool }: { tool: ToolInfo }) {
  const canPlace = useCurrentFlow((flow) => flow?.readable != null);
  return (
    <article className={styles.tool} aria-labelledby="tool-name">
      <header className={styles.head}>
        <h2 id="tool-name" className={styles.name}>
          {tool.name}
        </h2>
        <Badge variant="light" size="sm">
          {effects[tool.effect]}
        </Badge>
        {tool.asks && (
          <Badge variant="outline" size="sm" title="An agent's call of it waits until a person has approved it">
            asks first
          </Badge>
        )}
        <Button
          className={styles.place ?? ''}
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          disabled={!canPlace}
          onClick={() => {
            closeToolBrowser();
            placeInSight({ kind: 'work', tool: tool.name });
          }}
        >
          Put on the canvas
        </Button>
      </header>
      <p className={styles.description}>{tool.description}</p>
      <ParameterTable title="Input" schema={tool.input_schema as JsonSchema} />
      {tool.output_schema !== undefined && <ParameterTable title="Result" schema={tool.output_schema as JsonSchema} />}
      <TryTool tool={tool} />
    </article>
  );
}
