import type { Dispatcher } from 'undici';

/** Learns whether a request was handed to an open connection: until then no byte of it can have been sent. */
export class SendTracker {
  sent = false;

  readonly interceptor: Dispatcher.DispatcherComposeInterceptor = (dispatch) => (options, handler) =>
    dispatch(options, this.watch(handler));

  private watch(inner: Dispatcher.DispatchHandler): Dispatcher.DispatchHandler {
    return {
      onRequestStart: (controller, context) => {
        this.sent = true;
        inner.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => inner.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => inner.onResponseStart?.(...args),
      onResponseData: (...args) => inner.onResponseData?.(...args),
      onResponseEnd: (...args) => inner.onResponseEnd?.(...args),
      onResponseError: (...args) => inner.onResponseError?.(...args),
    };
  }
}
