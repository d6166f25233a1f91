import { Autocomplete, NumberInput, Select, Textarea } from '@mantine/core';
import type { DocumentPath } from '#shared/flow/edit/flow-edit.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type JsonObject } from '#shared/json.ts';
import { orNothing, setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { ToolUses } from './tool-uses.tsx';

const modelStarts = ['anthropic://', 'openai://', 'gemini://', 'ollama://127.0.0.1:11434/', 'genai://', 'llama://', 'script://'];

/** The settings of an agent. */
export function AgentFields({ node }: { node: OutlineNode }) {
  const agent: JsonObject = isJsonObject(node.raw.agent) ? node.raw.agent : {};
  const path = ['nodes', node.index, 'agent'] as const;
  const text = (key: string) => (typeof agent[key] === 'string' ? agent[key] : '');
  return (
    <div className={styles.section}>
      <h3>Agent</h3>
      <Autocomplete
        className={styles.code ?? ''}
        label="Model"
        data={modelStarts}
        value={text('model')}
        onChange={(value) => setField([...path, 'model'], value, 'Edit model')}
      />
      <Textarea
        label="Preamble"
        description="Who the agent is. {field} is replaced from the input."
        autosize
        minRows={2}
        maxRows={10}
        value={text('preamble')}
        onChange={(event) => setField([...path, 'preamble'], orNothing(event.currentTarget.value), 'Edit preamble')}
      />
      <Textarea
        label="Prompt"
        description="What it is to do. Left empty, it gets the input as JSON."
        autosize
        minRows={3}
        maxRows={14}
        value={text('prompt')}
        onChange={(event) => setField([...path, 'prompt'], orNothing(event.currentTarget.value), 'Edit prompt')}
      />
      <ToolUses label="Tools" path={[...path, 'tools']} value={agent.tools} />
      <Select
        label="Mode"
        data={[
          { value: 'structured', label: 'Structured: answers in the schema' },
          { value: 'chat', label: 'Chat: a loop of turns' },
        ]}
        placeholder="by whether there are tools"
        clearable
        value={text('mode') || null}
        onChange={(value) => setField([...path, 'mode'], value ?? undefined, 'Edit mode')}
      />
      <div className={styles.row}>
        <NumberField label="Turns" placeholder="16" holder={agent} path={path} keys={['limits', 'turns']} />
        <NumberField label="Seconds" placeholder="120" holder={agent} path={path} keys={['limits', 'seconds']} />
      </div>
      <div className={styles.row}>
        <NumberField label="Temperature" placeholder="the model’s" holder={agent} path={path} keys={['params', 'temperature']} step={0.1} />
        <NumberField label="Max tokens" placeholder="the model’s" holder={agent} path={path} keys={['params', 'max_tokens']} />
      </div>
    </div>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly placeholder: string;
  readonly holder: JsonObject;
  readonly path: DocumentPath;
  readonly keys: readonly [group: string, field: string];
  readonly step?: number;
}

function NumberField({ label, placeholder, holder, path, keys: [group, field], step = 1 }: NumberFieldProps) {
  const outer = holder[group];
  const value = isJsonObject(outer) ? outer[field] : undefined;
  return (
    <NumberInput
      label={label}
      placeholder={placeholder}
      value={typeof value === 'number' ? value : ''}
      min={0}
      step={step}
      onChange={(next) => {
        if (typeof next === 'number') setField([...path, group, field], next, `Edit ${label.toLowerCase()}`);
        else if (value === undefined) return;
        else if (isJsonObject(outer) && Object.keys(outer).length === 1)
          setField([...path, group], undefined, `Edit ${label.toLowerCase()}`);
        else setField([...path, group, field], undefined, `Edit ${label.toLowerCase()}`);
      }}
    />
  );
}
