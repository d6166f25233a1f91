import { VisibleText } from '#renderer/controls/visible-text.tsx';
import { wholeOf } from '#renderer/debugger/value-difference.ts';
import { ValueTree } from '#renderer/debugger/value-tree.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import styles from './input-fields.module.css';

interface InputFieldsProps {
  readonly input: Json;
  /** Fields that are shown elsewhere, as a difference. */
  readonly except: readonly string[];
}

/** A call's input, field by field, to be read. */
export function InputFields({ input, except }: InputFieldsProps) {
  if (!isJsonObject(input)) return <ValueTree label="Input" difference={wholeOf('same', input)} />;
  const fields = Object.entries(input).filter(([name]) => !except.includes(name));
  return (
    <dl className={styles.fields}>
      {fields.map(([name, value]) => (
        <div key={name}>
          <dt className={styles.name}>
            <VisibleText text={name} />
          </dt>
          <dd className={styles.value}>
            <FieldValue name={name} value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

function FieldValue({ name, value }: { name: string; value: Json }) {
  if (typeof value === 'string') return <VisibleText text={value === '' ? '""' : value} />;
  if (name === 'args' && Array.isArray(value)) return <VisibleText text={value.map(argumentText).join(' ')} />;
  if (typeof value === 'object' && value !== null) return <ValueTree label={name} difference={wholeOf('same', value)} />;
  return String(value);
}

/** One argument of a command, so that it can be told where it ends. */
function argumentText(argument: Json): string {
  return typeof argument === 'string' && /^[\w./:=@%+,-]+$/.test(argument) ? argument : JSON.stringify(argument);
}
