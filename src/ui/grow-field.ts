import { useLayoutEffect, type RefObject } from 'react';

/** Whether the browser supports `field-sizing: content`; older versions of Safari and Firefox do not. */
const supportsFieldSizing = () => CSS.supports('field-sizing', 'content');

type Field = Pick<HTMLTextAreaElement, 'scrollHeight' | 'offsetHeight' | 'clientHeight'> & {
  style: Pick<CSSStyleDeclaration, 'height'>;
};

/** Makes a field as high as its text. Limits in the style sheet still apply. */
export function fitToText(field: Field): void {
  // Reset first: scrollHeight is never less than the current height.
  field.style.height = 'auto';
  const borders = field.offsetHeight - field.clientHeight;
  field.style.height = `${field.scrollHeight + borders}px`;
}

/** Makes a text field grow with its text in browsers without `field-sizing`. */
export function useGrowingField(field: RefObject<HTMLTextAreaElement | null>, text: string): void {
  useLayoutEffect(() => {
    if (field.current && !supportsFieldSizing()) fitToText(field.current);
  }, [field, text]);
}
