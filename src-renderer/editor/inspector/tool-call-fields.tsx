import { Select, Textarea } from '@mantine/core';
import { useWorkspace } from '#renderer/workspace/folder/use-workspace.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { isJsonObject, type Json } from '#shared/json.ts';
import { setField } from './edit-node.ts';
import styles from './inspector.module.css';
import { texts } from './texts.ts';
import { useDraft } from './use-draft.ts';

/** A body that calls one tool: the tool and its arguments. `{field}` in a text is replaced by a field of the input. */
export function ToolCallFields({ node }: { node: OutlineNode }) {
  const tools = useWorkspace((state) => state.tools);
  const name = String(node.raw.tool ?? '');
  const tool = tools.find((candidate) => candidate.name === name);
  const args = isJsonObject(node.raw.with) ? node.raw.with : {};
  const schema = isJsonObject(tool?.input_schema) ? tool.input_schema : {};
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const required: readonly Json[] = Array.isArray(schema.required) ? schema.required : [];
  const fields = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  return (
    <>
      <Select
        className={styles.code ?? ''}
        label={texts.body.tool}
        description={tool?.description}
        data={[...new Set([...tools.map((candidate) => candidate.name), name])]}
        value={name}
        searchable
        allowDeselect={false}
        onChange={(value) => value !== null && setField(['nodes', node.index, 'tool'], value, texts.body.chooseTool)}
      />
      {fields.map((field) => (
        <Argument
          key={`${name} ${field}`}
          node={node}
          field={field}
          required={required.includes(field)}
          value={args[field]}
          text={isText(properties[field])}
        />
      ))}
    </>
  );
}

interface ArgumentProps {
  readonly node: OutlineNode;
  readonly field: string;
  readonly value: Json | undefined;
  readonly required: boolean;
  /** True if the field is a string, which is written without quotes. */
  readonly text: boolean;
}

function Argument({ node, field, value, required, text }: ArgumentProps) {
  const path = ['nodes', node.index, 'with', field];
  const shown = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  const draft = useDraft(shown, (written) => {
    if (written === '') setField(path, undefined, texts.body.edit(field));
    else setField(path, text ? written : readArgument(written), texts.body.edit(field));
    return null;
  });
  return (
    <Textarea
      className={styles.code ?? ''}
      label={field}
      withAsterisk={required}
      placeholder={text ? '' : texts.body.argumentPlaceholder}
      autosize
      minRows={1}
      value={draft.value}
      onChange={draft.onChange}
      onBlur={draft.onBlur}
      onKeyDown={(event) => {
        if (event.key !== 'Enter' || event.ctrlKey) draft.onKeyDown(event);
      }}
    />
  );
}

/** Parses JSON; any other text is a string. `["log"]` is a list, `{range}` a template. */
function readArgument(written: string): Json {
  try {
    return JSON.parse(written) as Json;
  } catch {
    return written;
  }
}

function isText(schema: Json | undefined): boolean {
  return isJsonObject(schema) && schema.type === 'string';
}
