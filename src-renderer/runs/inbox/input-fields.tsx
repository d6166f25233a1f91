import { VisibleText } from '#renderer/ui/controls/visible-text.tsx';
import { wholeOf } from '#renderer/ui/values/value-difference.ts';
import { ValueTree } from '#renderer/ui/values/value-tree.tsx';
import { isJsonObject, type Json } from '#shared/json.ts';
import styles from './input-fields.module.css';
import { texts } from './texts.ts';

interface InputFieldsProps {
  readonly input: Json;
  /** Fields that are shown elsewhere, as a difference. */
  readonly except: readonly string[];
}

/** The input of a call, field by field. */
export function InputFields({ input, except }: InputFieldsProps) {
  if (!isJsonObject(input)) return <ValueTree label={texts.approval.input} difference={wholeOf('same', input)} />;
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

/** One argument of a command, quoted where its end would be unclear. */
function argumentText(argument: Json): string {
  return typeof argument === 'string' && /^[\w./:=@%+,-]+$/.test(argument) ? argument : JSON.stringify(argument);
}
