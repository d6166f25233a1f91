import { Combobox, Textarea, useCombobox } from '@mantine/core';
import { useRef, useState } from 'react';
import { completionAt, type FieldCompletion, insertCompletion } from './field-paths.ts';

interface TemplateTextProps {
  readonly label: string;
  readonly description: string;
  readonly minRows: number;
  readonly maxRows: number;
  readonly value: string;
  /** Fields that `{…}` can name. */
  readonly fields: readonly string[];
  readonly onChange: (text: string) => void;
}

/** A text field that completes `{fields}` of the input. */
export function TemplateText({ fields, onChange, ...field }: TemplateTextProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  const [offer, setOffer] = useState<FieldCompletion | null>(null);
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });

  function updateOffer(text: string, caret: number) {
    const next = completionAt(text, caret, fields);
    setOffer(next);
    if (!next) return combobox.closeDropdown();
    combobox.openDropdown();
    // The previous options are still in the DOM.
    requestAnimationFrame(() => combobox.selectFirstOption());
  }

  function insertField(option: string) {
    const element = area.current;
    if (!offer || !element) return;
    const next = insertCompletion(field.value, element.selectionStart, offer.start, option);
    onChange(next.text);
    combobox.closeDropdown();
    setOffer(null);
    requestAnimationFrame(() => element.setSelectionRange(next.caret, next.caret));
  }

  return (
    <Combobox store={combobox} onOptionSubmit={insertField} position="bottom-start" withinPortal>
      <Combobox.Target withExpandedAttribute>
        <Textarea
          {...field}
          ref={area}
          autosize
          onChange={(event) => {
            onChange(event.currentTarget.value);
            updateOffer(event.currentTarget.value, event.currentTarget.selectionStart);
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || !combobox.dropdownOpened) return;
            event.stopPropagation();
            combobox.closeDropdown();
          }}
          onBlur={() => combobox.closeDropdown()}
        />
      </Combobox.Target>
      <Combobox.Dropdown hidden={!offer}>
        <Combobox.Options mah={180} style={{ overflowY: 'auto' }}>
          {offer?.options.map((option) => (
            <Combobox.Option key={option} value={option}>
              <code>{option}</code>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
