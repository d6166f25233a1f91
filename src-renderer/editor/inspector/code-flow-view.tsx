import { ActionIcon, Tooltip } from '@mantine/core';
import { IconBraces, IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { OpenFlow } from '#renderer/document/editing/open-flow.ts';
import type { ReadableFlow } from '#renderer/document/graph/readable-flow.ts';
import { workflowExcerpt } from '#renderer/document/graph/workflow-source.ts';
import { noticeProblem } from '#renderer/shell/notices.ts';
import { CodeEditor } from '#renderer/ui/code/code-editor.tsx';
import type { CodeFlowContent } from '#shared/contract/flows.ts';
import type { ToolUse } from '#shared/flow/document.ts';
import { mayBeWorkflow } from '#shared/flow/flow-file.ts';
import type { OutlineNode } from '#shared/flow/outline.ts';
import { toolUse } from '#shared/flow/tool-use.ts';
import styles from './code-flow-view.module.css';
import inspector from './inspector.module.css';
import { texts } from './texts.ts';
import { WithCode } from './with-code.tsx';

/** A whole flow in code: its file, schemas and source, all read-only. */
export function CodeFlowView({ flow, code }: { flow: OpenFlow; code: CodeFlowContent }) {
  const { readable } = flow;
  return (
    <>
      <OpenInEditor path={flow.path} code={code} />
      {readable && <States states={Object.keys(readable.schemas)} flow={readable} />}
      <div className={inspector.fill}>
        <CodeEditor
          id={`source ${flow.path}`}
          label={texts.code.sourceOf(flow.path)}
          language={mayBeWorkflow(flow.path) ? 'yaml' : 'typescript'}
          value={code.source}
          readOnly
          fill
        />
      </div>
    </>
  );
}

interface CodeNodeProps {
  readonly node: OutlineNode;
  readonly path: string;
  readonly flow: ReadableFlow;
  readonly code: CodeFlowContent;
}

/** A node of a flow in code: its states with their schemas, and its handler. */
export function CodeNodeView({ node, path, flow, code }: CodeNodeProps) {
  const handler = typeof node.raw.run === 'string' ? node.raw.run : null;
  const pointer = code.origins[node.index];
  const excerpt = pointer === undefined ? null : workflowExcerpt(code.source, pointer);
  const tools = ((node.raw.tools ?? []) as readonly ToolUse[]).map((use) => toolUse(use).name);
  return (
    <>
      <OpenInEditor path={path} code={code} line={excerpt?.line ?? lineOf(code.source, handler)} />
      {typeof node.raw.note === 'string' && <p className={inspector.hint}>{node.raw.note}</p>}
      {node.kind === 'each' && (
        <p className={inspector.hint}>
          <WithCode parts={texts.code.runsForEach(String(node.raw.flow), node.from[0] ?? '')} />
        </p>
      )}
      {node.kind === 'suspend' && (
        <p className={inspector.hint}>
          <WithCode parts={texts.code.waitsFor(node.to[0] ?? '')} />
        </p>
      )}
      <States states={[...node.from, ...node.to]} flow={flow} />
      {handler !== null && (
        <div className={inspector.section}>
          <h3>{texts.code.handler}</h3>
          <CodeEditor id={`handler ${node.path}`} label={texts.code.handlerOf(node.id)} language="typescript" value={handler} readOnly />
          {tools.length > 0 && <p className={inspector.hint}>{texts.code.canCall(tools)}</p>}
        </div>
      )}
      {excerpt && (
        <div className={inspector.section}>
          <h3>{texts.code.workflowText}</h3>
          <CodeEditor id={`workflow ${node.path}`} label={texts.code.yamlOf(node.id)} language="yaml" value={excerpt.text} readOnly />
        </div>
      )}
      {!excerpt && node.raw.agent !== undefined && (
        <div className={inspector.section}>
          <h3>{texts.agent.heading}</h3>
          <CodeEditor
            id={`agent ${node.path}`}
            label={texts.code.agentOf(node.id)}
            language="json"
            value={JSON.stringify(node.raw.agent, null, 2)}
            readOnly
          />
        </div>
      )}
    </>
  );
}

interface OpenInEditorProps {
  readonly path: string;
  readonly code: CodeFlowContent;
  readonly line?: number | null;
}

function OpenInEditor({ path, code, line = null }: OpenInEditorProps) {
  const [copied, setCopied] = useState(false);
  const suffix = line === null ? '' : `:${line}`;
  const location = `${code.file}${suffix}`;
  return (
    <div className={styles.place}>
      <span className={inspector.hint}>{mayBeWorkflow(path) ? texts.code.editWorkflow : texts.code.editElsewhere}</span>
      <div className={styles.file}>
        <code title={location}>
          {path}
          {suffix}
        </code>
        <Tooltip label={texts.code.copyPathHint}>
          <ActionIcon
            aria-label={texts.code.copyPath}
            onClick={() =>
              navigator.clipboard.writeText(location).then(
                () => setCopied(true),
                (thrown: unknown) => noticeProblem(texts.code.pathNotCopied, String(thrown)),
              )
            }
          >
            {copied ? <IconCheck size={15} /> : <IconCopy size={15} />}
          </ActionIcon>
        </Tooltip>
      </div>
    </div>
  );
}

/** The states by name. One at a time shows its schema. */
function States({ states, flow }: { states: readonly string[]; flow: ReadableFlow }) {
  const [shown, setShown] = useState<string | null>(null);
  const names = [...new Set(states)];
  return (
    <div className={inspector.section}>
      <h3>{texts.states.heading}</h3>
      <ul className={inspector.list}>
        {names.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={styles.state}
              aria-expanded={shown === name}
              onClick={() => setShown(shown === name ? null : name)}
            >
              <IconBraces size={14} aria-hidden="true" />
              <span>{name}</span>
              {name === flow.input && <span className={styles.aside}>{texts.code.flowInput}</span>}
              {name === flow.output && <span className={styles.aside}>{texts.code.flowOutput}</span>}
            </button>
            {shown === name && (
              <CodeEditor
                id={`schema ${name}`}
                label={texts.states.schemaOf(name)}
                language="json"
                value={JSON.stringify(flow.schemas[name] ?? true, null, 2)}
                readOnly
              />
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The line on which a handler starts. The engine's copy has no types, so search for its first line only. */
function lineOf(source: string, handler: string | null): number | null {
  if (handler === null) return null;
  const first = handler.split('\n')[0] ?? '';
  const at = first.length < 8 ? -1 : source.indexOf(source.includes(handler) ? handler : first);
  return at < 0 ? null : source.slice(0, at).split('\n').length;
}
