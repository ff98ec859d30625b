/** What somebody asks an agent, and the tool that it then needs. */
export const questions = [
	{ question: 'What is the current weather?', tool: 'utilities_currentWeather' },
	{ question: 'Give me the weather forecast for the week', tool: 'utilities_weatherForecast' },
	{ question: 'Translate this text into French', tool: 'utilities_translate' },
	{ question: 'Generate an image of a red kite', tool: 'image_generate' },
	{ question: 'Create speech from this sentence', tool: 'speech_create' },
	{ question: 'Which voices are there?', tool: 'speech_getManyVoices' },
	{ question: 'Generate some music', tool: 'music_generate' },
	{ question: 'Wait for the music to be ready', tool: 'music_wait' },
	{ question: 'Rerank this list', tool: 'rerank_rerankList' },
	{ question: 'Create a QR code for my shop', tool: 'utilities_qrCode' },
	{ question: 'What are the exchange rates?', tool: 'utilities_exchangeRates' },
	{ question: 'What are the gold prices today?', tool: 'utilities_goldPrices' },
	{ question: 'Generate a password', tool: 'utilities_passwordGenerate' },
	{ question: 'How strong is this password? Check its strength', tool: 'utilities_passwordCheck' },
	{ question: 'Tell me a dad joke', tool: 'utilities_dadJoke' },
	{ question: 'Find the lyrics of Yesterday', tool: 'utilities_lyrics' },
	{ question: 'Who owns this domain?', tool: 'utilities_whois' },
	{ question: 'Which models does my account have?', tool: 'account_getManyModels' },
	{ question: 'What happened on this day in history?', tool: 'utilities_todayInHistory' },
	{ question: 'Read me the world news', tool: 'utilities_worldNews' },
];

/**
 * The tool whose description fits a question best: rare words that both have count more than frequent ones, and of equal
 * tools the one with the shorter description.
 */
export function bestTool(question: string, tools: Array<{ name: string; description: string }>): string {
	const asked = wordsOf(question);
	const all = tools.map(({ name, description }) => ({ name, words: wordsOf(description) }));
	const rarity = (word: string) => Math.log(all.length / all.filter(({ words }) => words.has(word)).length);
	const scored = all.map(({ name, words }) => ({
		name,
		score: [...words].filter((word) => asked.has(word)).reduce((sum, word) => sum + rarity(word), 0),
		length: words.size,
	}));
	const [best] = scored.sort((one, other) => other.score - one.score || one.length - other.length);
	return best.name;
}

/** The words of a text, without their endings. */
function wordsOf(text: string): Set<string> {
	const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
	return new Set(words.map((word) => word.replace(/(?:s|ed|ing)$/, '')));
}
