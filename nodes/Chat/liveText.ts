import type { GatewayFailure } from '../shared/failure/failure';
import type { Call } from '../shared/run/call';
import type { LiveRedactor } from '../shared/answer/redactor';
import { asSentence } from '../shared/plain/inWords';
import { isTool } from '../shared/run/operation';

/** Forwards the answer of one item to the caller of the workflow if the trigger's response mode is streaming. */
export class LiveText {
	/** Removes the key from the text; undefined if nobody sees the answer before its end. */
	private readonly redacted: LiveRedactor | undefined;
	/** True if the caller has seen a part of the current answer, so that it must not begin again. */
	hasShown = false;

	constructor(
		private readonly call: Call,
		streamed: boolean,
	) {
		// As a tool, the node would write into the agent's own answer.
		const isOn = streamed && !isTool(call.node) && call.context.isStreaming();
		this.redacted = isOn ? call.redactor.live() : undefined;
	}

	begin(): void {
		this.send('begin');
	}

	next(): void {
		this.hasShown = false;
	}

	/** @param passedOn called if the caller sees the text */
	text(text: string, passedOn: () => void): void {
		if (!this.redacted) return;
		this.hasShown = true;
		passedOn();
		this.show(this.redacted.push(text));
	}

	end(): void {
		this.show(this.redacted?.end());
		this.send('end');
	}

	/** Tells the caller why the answer ends here. When the run stops at the failure, n8n does that itself. */
	failed({ message, description }: GatewayFailure): void {
		this.show(this.redacted?.end());
		if (!this.call.context.continueOnFail()) return;
		this.send('error', this.call.redactor.text(`${asSentence(message)} ${description}`));
		this.send('end');
	}

	private show(text: string | undefined): void {
		if (text) this.send('item', text);
	}

	private send(type: 'begin' | 'item' | 'end' | 'error', content?: string): void {
		if (this.redacted) this.call.context.sendChunk(type, this.call.itemIndex, content);
	}
}
