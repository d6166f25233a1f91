import { Switch, Textarea } from '@mantine/core';
import { useMemo } from 'react';
import type { ReadableFlow } from '#renderer/graph/readable-flow.ts';
import { ModelField } from '#renderer/models/model-field.tsx';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { AgentContext } from './agent-context.tsx';
import { AgentMode } from './agent-mode.tsx';
import { NumberSetting, SwitchSetting } from './agent-setting.tsx';
import { orNothing, setField } from './edit-node.ts';
import { fieldPaths } from './field-paths.ts';
import styles from './inspector.module.css';
import { TemplateText } from './template-text.tsx';
import { ToolUses } from './tool-uses.tsx';

/** The settings of an agent. What stands at its default is not written. */
export function AgentFields({ node, flow }: { node: OutlineNode; flow: ReadableFlow }) {
  const agent: JsonObject = isJsonObject(node.raw.agent) ? node.raw.agent : {};
  const path = ['nodes', node.index, 'agent'] as const;
  const text = (key: string) => (typeof agent[key] === 'string' ? agent[key] : '');
  const [from = ''] = node.from;
  const fields = useMemo(() => fieldPaths(flow.schemas[from]), [flow.schemas, from]);
  const setting = { agent, path };
  return (
    <>
      <div className={styles.section}>
        <h3>Agent</h3>
        <ModelField
          className={styles.code ?? ''}
          label="Model"
          value={text('model')}
          onChange={(value) => setField([...path, 'model'], value, 'Edit model')}
        />
        <TemplateText
          label="Preamble"
          description="Who the agent is. {field} is replaced from the input."
          minRows={2}
          maxRows={10}
          fields={fields}
          value={text('preamble')}
          onChange={(value) => setField([...path, 'preamble'], orNothing(value), 'Edit preamble')}
        />
        <TemplateText
          label="Prompt"
          description="What it is to do. Left empty, it gets the input as JSON."
          minRows={3}
          maxRows={14}
          fields={fields}
          value={text('prompt')}
          onChange={(value) => setField([...path, 'prompt'], orNothing(value), 'Edit prompt')}
        />
        <ToolUses label="Tools" path={[...path, 'tools']} value={agent.tools} wildcards />
        <AgentMode {...setting} />
      </div>
      <div className={styles.section}>
        <h3>Limits and parameters</h3>
        <div className={styles.row}>
          <NumberSetting label="Turns" placeholder="16" keys={['limits', 'turns']} {...setting} />
          <NumberSetting label="Seconds" placeholder="120" keys={['limits', 'seconds']} {...setting} />
        </div>
        <div className={styles.row}>
          <NumberSetting label="Temperature" placeholder="the model’s" keys={['params', 'temperature']} step={0.1} {...setting} />
          <NumberSetting label="Max tokens" placeholder="the model’s" keys={['params', 'max_tokens']} {...setting} />
        </div>
        <div className={styles.row}>
          <NumberSetting label="Top p" placeholder="the model’s" keys={['params', 'top_p']} step={0.1} max={1} {...setting} />
          <NumberSetting label="Times asked again" placeholder="2" keys={['output', 'attempts']} {...setting} />
        </div>
        <AgentContext {...setting} />
        <SwitchSetting label="Repair broken JSON" byDefault keys={['output', 'repair']} {...setting} />
        <Switch
          label="Trust what comes from outside"
          description="Off: after a page or an MCP server has spoken to the agent, its writing tools ask."
          checked={agent.trust_content === true}
          onChange={(event) => setField([...path, 'trust_content'], event.currentTarget.checked ? true : undefined, 'Edit trust')}
        />
        <Textarea
          className={styles.code ?? ''}
          label="Grammar"
          description="GBNF that an answer must follow; for local models."
          autosize
          minRows={1}
          maxRows={8}
          value={grammarOf(agent)}
          onChange={(event) => setField([...path, 'output', 'grammar'], orNothing(event.currentTarget.value), 'Edit grammar')}
        />
      </div>
    </>
  );
}

function grammarOf({ output }: JsonObject): string {
  return isJsonObject(output ?? null) && typeof (output as JsonObject).grammar === 'string' ? String((output as JsonObject).grammar) : '';
}
