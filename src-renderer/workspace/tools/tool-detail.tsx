import { Badge, Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useCurrentFlow } from '#renderer/document/flows/use-current-flow.ts';
import type { ToolInfo } from '#shared/contract/tools.ts';
import type { JsonSchema } from '#shared/json.ts';
import { ParameterTable } from './parameter-table.tsx';
import { texts } from './texts.ts';
import { closeToolBrowser } from './tool-browser-store.ts';
import styles from './tool-detail.module.css';

/** What other rooms offer for a tool. */
export interface ToolActions {
  /** Adds a node that calls the tool to the flow on the canvas. */
  onPlace(tool: ToolInfo): void;
  /** The form that tries the tool. */
  tryTool(tool: ToolInfo): ReactNode;
}

/** One tool: its description, input, result, and a form to try it. */
export function ToolDetail({ tool, onPlace, tryTool }: { readonly tool: ToolInfo } & ToolActions) {
  const canPlace = useCurrentFlow((flow) => flow?.readable != null);
  return (
    <article className={styles.tool} aria-labelledby="tool-name">
      <header className={styles.head}>
        <h2 id="tool-name" className={styles.name}>
          {tool.name}
        </h2>
        <Badge variant="light" size="sm">
          {texts.effects[tool.effect]}
        </Badge>
        {tool.asks && (
          <Badge variant="outline" size="sm" title={texts.approvalHint}>
            {texts.needsApproval}
          </Badge>
        )}
        <Button
          className={styles.place ?? ''}
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden="true" />}
          disabled={!canPlace}
          onClick={() => {
            closeToolBrowser();
            onPlace(tool);
          }}
        >
          {texts.addToCanvas}
        </Button>
      </header>
      <p className={styles.description}>{tool.description}</p>
      <ParameterTable title={texts.input} schema={tool.input_schema as JsonSchema} />
      {tool.output_schema !== undefined && <ParameterTable title={texts.result} schema={tool.output_schema as JsonSchema} />}
      {tryTool(tool)}
    </article>
  );
}
