import type { User } from './user';

/** A way from an empty canvas to a result. */
export interface Journey {
	name: string;
	/** At most so many clicks. */
	clicks: number;
	/** Goes it, until the result can be seen or heard. */
	travel(user: User): Promise<void>;
}

/** What a single node is added and filled in with. */
interface Step {
	/** What people type to find the node. */
	words: string;
	action: string;
	/** The parameters to choose from a list of the gateway. */
	pickers: string[];
	/** The parameter to fill in, and with what. */
	field: string;
	text: string;
}

const PLAYS = "querySelector('audio[controls]')?.duration > 0";
const CHAT = { words: 'ask ai', action: 'Message a model', pickers: ['model'], field: 'prompt' };

async function fillIn(user: User, { words, action, pickers, field, text }: Step): Promise<void> {
	await user.addFirst(words, action);
	for (const picker of pickers) await user.choose(picker);
	await user.fill(field, text);
}

/** A way to one file. @param proof true of the output panel that shows it */
function toFile(name: string, clicks: number, step: Step, proof: string): Journey {
	return {
		name,
		clicks,
		async travel(user) {
			await fillIn(user, step);
			await user.execute();
			await user.showFile();
			await user.seesInOutput(proof);
		},
	};
}

export const journeys: Journey[] = [
	{
		name: 'chat',
		clicks: 4,
		async travel(user) {
			await fillIn(user, { ...CHAT, text: 'Why is the sky blue?' });
			await user.execute();
			await user.seesInOutput("innerText.includes('You asked')");
		},
	},
	{
		name: 'json to an if',
		clicks: 7,
		async travel(user) {
			await fillIn(user, { ...CHAT, text: 'Describe a lighthouse.' });
			await user.select('output', 'JSON');
			await user.execute();
			await user.seesInOutput("innerText.includes('category')");
			await user.addNext('if');
			await user.drag('category', '[data-test-id="filter-condition-left"]');
			await user.fillIn('[data-test-id="filter-condition-right"] input', 'Describe a lighthouse.');
			await user.execute();
			await user.seesInOutput("innerText.includes('True Branch (1 item)')");
		},
	},
	{
		name: 'agent with weather',
		clicks: 13,
		async travel(user) {
			await user.addAgent();
			await user.addSubNode('ai_languageModel', /^Unified AI Chat Model$/, 'Add to workflow');
			await user.choose('model');
			await user.openAgent();
			await user.addSubNode('ai_tool', /^Unified AI Utilities Tool$/);
			await user.select('operation', 'Weather: Current Weather');
			await user.letAgentFill();
			await user.chat('What is the weather in London?');
			// The endpoint knows cities by their Chinese names, and the agent learns that instead of the weather of another city.
			await user.sees('Try the Chinese name of "London"');
		},
	},
	toFile(
		'image',
		4,
		{
			words: 'draw picture',
			action: 'Generate image',
			pickers: ['model'],
			field: 'prompt',
			text: 'A lighthouse at dusk, oil painting',
		},
		"querySelector('img')?.naturalWidth > 256",
	),
	toFile(
		'speech',
		5,
		{
			words: 'text to speech',
			action: 'Create speech',
			pickers: ['model', 'voice'],
			field: 'text',
			text: 'Good morning! This is the news.',
		},
		PLAYS,
	),
	toFile(
		'song',
		3,
		{
			words: 'make a song',
			action: 'Generate music',
			pickers: [],
			field: 'prompt',
			text: 'A calm song about lighthouses',
		},
		PLAYS,
	),
];
