// What the client uses of Preact and htm.
export type Child = unknown;
export interface Ref<Value> {
  current: Value;
}
type Cleanup = void | (() => void);
export function html(strings: TemplateStringsArray, ...values: unknown[]): Child;
export function render(tree: Child, into: Element): void;
export function useState<Value>(initial: Value | (() => Value)): [Value, (next: Value | ((before: Value) => Value)) => void];
export function useEffect(effect: () => Cleanup, inputs?: unknown[]): void;
export function useLayoutEffect(effect: () => Cleanup, inputs?: unknown[]): void;
export function useRef<Value>(initial: Value): Ref<Value>;
export function useMemo<Value>(make: () => Value, inputs: unknown[]): Value;
export function useErrorBoundary(handle?: (error: unknown) => void): [unknown, () => void];
