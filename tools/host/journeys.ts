import type { User } from './user';

/** A way from an empty canvas to a result. */
export interface Journey {
	name: string;
	/** At most so many clicks. */
	clicks: number;
	/** Goes it, until the result can be seen or heard. */
	travel(user: User): Promise<void>;
}

const PLAYS = "querySelector('audio[controls]')?.duration > 0";

export const journeys: Journey[] = [
	{
		name: 'chat',
		clicks: 4,
		async travel(user) {
			await user.addFirst('ask ai', 'Message a model');
			await user.choose('model');
			await user.fill('prompt', 'Why is the sky blue?');
			await user.execute();
			await user.seesInOutput("innerText.includes('You asked')");
		},
	},
	{
		name: 'json to an if',
		clicks: 7,
		async travel(user) {
			await user.addFirst('ask ai', 'Message a model');
			await user.choose('model');
			await user.fill('prompt', 'Describe a lighthouse.');
			await user.select('output', 'JSON');
			await user.execute();
			await user.seesInOutput("innerText.includes('category')");
			await user.addNext('if');
			await user.drag('category', '[data-test-id="filter-condition-left"]');
			await user.fillIn('[data-test-id="filter-condition-right"] input', 'Describe a lighthouse.');
			await user.execute();
			await user.seesInOutput("innerText.includes('lighthouse')");
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
	{
		name: 'image',
		clicks: 4,
		async travel(user) {
			await user.addFirst('draw picture', 'Generate image');
			await user.choose('model');
			await user.fill('prompt', 'A lighthouse at dusk, oil painting');
			await user.execute();
			await user.showFile();
			await user.seesInOutput("querySelector('img')?.naturalWidth > 256");
		},
	},
	{
		name: 'speech',
		clicks: 5,
		async travel(user) {
			await user.addFirst('text to speech', 'Create speech');
			await user.choose('model');
			await user.choose('voice');
			await user.fill('text', 'Good morning! This is the news.');
			await user.execute();
			await user.showFile();
			await user.seesInOutput(PLAYS);
		},
	},
	{
		name: 'song',
		clicks: 3,
		async travel(user) {
			await user.addFirst('make a song', 'Generate music');
			await user.fill('prompt', 'A calm song about lighthouses');
			await user.execute();
			await user.showFile();
			await user.seesInOutput(PLAYS);
		},
	},
];
