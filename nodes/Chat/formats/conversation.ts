import type { ImageInput } from '../../shared/files/images';

/** One thing that stands in a turn of a conversation. */
export type Part =
	| { type: 'text'; text: string }
	| { type: 'image'; image: ImageInput }
	/** A call of a tool that the model asked for earlier. */
	| { type: 'toolCall'; id: string; name: string; arguments: Record<string, unknown> }
	/** What that tool answered. */
	| { type: 'toolResult'; id: string; name: string; text: string };

/** What one side of a conversation says. */
export interface Turn {
	/** A system turn holds texts only. */
	role: 'system' | 'user' | 'assistant';
	parts: Part[];
}

/** A conversation, whatever the format in which it is sent. */
export interface Conversation {
	/** How the model should behave; empty for nothing. */
	system: string;
	turns: Turn[];
}

/** A function that the model may ask for. */
export interface Tool {
	name: string;
	description: string;
	/** JSON Schema of its arguments. */
	parameters: Record<string, unknown>;
}

/**
 * The same conversation for formats that have one system text and no system turns: what those say is added
 * to it.
 */
export function withoutSystemTurns({ system, turns }: Conversation): Conversation {
	const texts = turns.filter(({ role }) => role === 'system').map((turn) => plainTextOf(turn) ?? '');
	return {
		system: [system, ...texts].filter((text) => text.trim() !== '').join('\n\n'),
		turns: turns.filter(({ role }) => role !== 'system'),
	};
}

/** The texts of a turn as one text; undefined when the turn holds anything else. */
export function plainTextOf({ parts }: Turn): string | undefined {
	const texts = parts.map((part) => (part.type === 'text' ? part.text : undefined));
	return texts.includes(undefined) ? undefined : texts.join('');
}
