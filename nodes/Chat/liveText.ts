import type { GatewayFailure } from '../shared/errors/gatewayFailure';
import type { Call } from '../shared/runtime/call';

/**
 * Sends the answer of one item on to the caller of the workflow while it arrives, where the trigger's
 * response mode is streaming. Otherwise it does nothing.
 */
export class LiveText {
	private readonly isOn: boolean;

	/** @param wanted whether the answer is streamed at all */
	constructor(
		private readonly call: Call,
		wanted: boolean,
	) {
		// As an agent's tool the node would write into the agent's own answer, and older versions of n8n do not let it ask.
		this.isOn = wanted && !call.node.type.endsWith('Tool') && call.context.isStreaming();
	}

	begin(): void {
		this.send('begin');
	}

	text(text: string): void {
		this.send('item', text);
	}

	end(): void {
		this.send('end');
	}

	/** Tells the caller why nothing more comes; when the run stops at the failure, n8n itself tells it. */
	failed({ message, description }: GatewayFailure): void {
		if (!this.call.context.continueOnFail()) return;
		this.send('error', `${message}. ${description}`);
		this.send('end');
	}

	private send(type: 'begin' | 'item' | 'end' | 'error', content?: string): void {
		if (this.isOn) this.call.context.sendChunk(type, this.call.itemIndex, content);
	}
}
