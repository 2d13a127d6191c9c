/** What the last actions did, in a corner of the page and for screen readers. */
import { useEffect, useState } from 'preact/hooks';
import { useObservable } from '../service/observable.js';
import { dropToast, type Toast, toasts } from '../service/results.js';
import { Icon } from './icon.js';

const SHOWN_MS = 6_000;

export function Toasts() {
  const shown = useObservable(toasts);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {shown.map((toast) => (
        <OneToast key={toast.kind} toast={toast} />
      ))}
    </div>
  );
}

/** It stays while the pointer is on it or the focus in it. */
function OneToast({ toast }: { readonly toast: Toast }) {
  const [isHovered, setIsHovered] = useState(false);
  const [isFocused, setIsFocused] = useState(false);
  useEffect(() => {
    if (isHovered || isFocused) return;
    const timer = setTimeout(() => dropToast(toast), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [toast, isHovered, isFocused]);
  return (
    <div
      class={`toast ${toast.kind}`}
      onPointerEnter={() => setIsHovered(true)}
      onPointerLeave={() => setIsHovered(false)}
      onFocusIn={() => setIsFocused(true)}
      onFocusOut={() => setIsFocused(false)}
    >
      <span>{toast.text}</span>
      <button type="button" aria-label="Close message" onClick={() => dropToast(toast)}>
        <Icon name="close" />
      </button>
    </div>
  );
}
