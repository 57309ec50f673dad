import {
  encodeFingerprint,
  type GuardFingerprint,
  isPersonal,
  isTimeDependent,
  type NamedSpecifics,
  namedSpecifics,
  parseFingerprint,
} from '@reprise/policy';
import type { ChatRequest } from './chat-request.js';
import { spokenTexts } from './spoken-texts.js';
import { type ChatState, chatStateOf } from './chat-state.js';
import { type ExactOnlyReason, exactOnlyReason } from './classify.js';
import { volatileSpans } from './volatile-spans.js';

/** What a request's text says about caching it; each question is answered once, when it is first asked. */
export class RequestReading {
  readonly state: ChatState;
  /** Why only the exact tier can answer; undefined when the semantic tier may look. */
  readonly exactOnly: ExactOnlyReason | undefined;
  private spans: readonly string[] | undefined;
  private depends: boolean | undefined;
  private parsed: GuardFingerprint | undefined;
  private encoded: string | undefined;
  private named: NamedSpecifics | undefined;

  constructor(
    private readonly request: ChatRequest,
    semanticMaxChars: number,
  ) {
    this.state = chatStateOf(request);
    this.exactOnly = exactOnlyReason(request, semanticMaxChars);
  }

  /** Kinds of volatile spans in the system prompt. */
  get volatile(): readonly string[] {
    return (this.spans ??= volatileSpans(this.request));
  }

  /** The answer depends on when it is asked. */
  get timeDependent(): boolean {
    return (this.depends ??= isTimeDependent(this.state.message));
  }

  /** The answer depends on who asks. */
  get personal(): boolean {
    return isPersonal(this.state.message);
  }

  get fingerprint(): GuardFingerprint {
    return (this.parsed ??= parseFingerprint(this.state.message));
  }

  /** What the caller's messages name: an answer of another conversation must not know more. */
  readonly specifics = (): NamedSpecifics => (this.named ??= namedSpecifics(spokenTexts(this.request)));

  get encodedFingerprint(): string {
    return (this.encoded ??= encodeFingerprint(this.fingerprint));
  }
}
