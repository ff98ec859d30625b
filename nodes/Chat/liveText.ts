import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import type { Call } from '../shared/runtime/call';

/**
 * Forwards the answer of one item to the caller of the workflow as it arrives, if the response mode of the trigger is
 * streaming. Otherwise it does nothing.
 */
export class LiveText {
	private readonly isOn: boolean;
	/** Whether the caller has seen a part of the answer, so that it must not begin again. */
	hasShown = false;

	/** @param streamed whether the answer is requested as a stream */
	constructor(
		private readonly call: Call,
		streamed: boolean,
	) {
		// As a tool, the node would write into the agent's own answer. Older n8n versions have no isStreaming in tools.
		this.isOn = streamed && !call.node.type.endsWith('Tool') && call.context.isStreaming();
	}

	begin(): void {
		this.send('begin');
	}

	text(text: string): void {
		this.hasShown ||= this.isOn;
		this.send('item', text);
	}

	end(): void {
		this.send('end');
	}

	/** Tells the caller why the answer ends here. When the run stops at the failure, n8n does that itself. */
	failed({ message, description }: GatewayFailure): void {
		if (!this.call.context.continueOnFail()) return;
		this.send('error', `${message}. ${description}`);
		this.send('end');
	}

	private send(type: 'begin' | 'item' | 'end' | 'error', content?: string): void {
		if (this.isOn) this.call.context.sendChunk(type, this.call.itemIndex, content);
	}
}
