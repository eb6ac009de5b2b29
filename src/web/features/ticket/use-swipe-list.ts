import { type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';

type SwipeList = {
  list: RefObject<HTMLOListElement | null>;
  /** Of the item in view. */
  index: number;
  show: (index: number) => void;
  /** For the list's `onScroll`. */
  follow: () => void;
};

/** A list of `count` items that is swiped with a thumb or stepped through with buttons; `first` is shown at the start. */
export function useSwipeList(count: number, first = 0): SwipeList {
  const list = useRef<HTMLOListElement>(null);
  const [index, setIndex] = useState(first);
  const limit = (wanted: number) => Math.max(0, Math.min(count - 1, wanted));

  function scrollTo(target: number, behavior: ScrollBehavior) {
    const item = list.current?.children[target];
    if (!(item instanceof HTMLElement) || !list.current) return;
    list.current.scrollTo({ left: item.offsetLeft - list.current.offsetLeft, behavior });
  }

  function show(wanted: number) {
    setIndex(limit(wanted));
    scrollTo(limit(wanted), scrollBehavior());
  }

  function follow() {
    const element = list.current;
    if (!element || element.scrollWidth <= element.clientWidth) return;
    const width = (element.firstElementChild?.clientWidth ?? 0) || element.clientWidth;
    setIndex(limit(Math.round(element.scrollLeft / width)));
  }

  const showFirst = useEffectEvent(() => {
    if (first > 0) scrollTo(limit(first), 'instant');
  });
  useEffect(() => showFirst(), []);
  return { list, index: limit(index), show, follow };
}

function scrollBehavior(): ScrollBehavior {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
