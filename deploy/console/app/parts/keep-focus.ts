/**
 * Keeps the focus when a search or another page of a list renders its controls again: the control with the same name
 * gets it. Without this, the focus would go to the start of the document.
 */

const CONTROLS = 'a, button, input, select, textarea, summary';

/** Returns the function that ends it. */
export function keepFocus(main: HTMLElement): () => void {
  let last: string | null = null;
  // A press on a place without a control takes the focus away on purpose.
  const remember = ({ target }: Event): void => {
    const control = target instanceof Element ? target.closest(CONTROLS) : null;
    last = control !== null && main.contains(control) ? nameOf(control) : null;
  };
  const observer = new MutationObserver(() => {
    if (last === null || document.activeElement !== document.body) return;
    const controls = [...main.querySelectorAll<HTMLElement>(CONTROLS)];
    controls.find((each) => nameOf(each) === last)?.focus({ preventScroll: true });
  });
  document.addEventListener('focusin', remember);
  document.addEventListener('pointerdown', remember);
  observer.observe(main, { childList: true, subtree: true });
  return () => {
    document.removeEventListener('focusin', remember);
    document.removeEventListener('pointerdown', remember);
    observer.disconnect();
  };
}

/** Distinguishes the controls of a view; the text of a button or a link is its name. */
function nameOf(element: Element): string {
  const given = element.getAttribute('name') ?? element.getAttribute('aria-label');
  return `${element.tagName} ${given ?? element.textContent}`;
}
