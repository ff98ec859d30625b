/** The routes that dialects fit, by the kind of their answers. */

export const CHAT_COMPLETIONS = ['POST /v1/chat/completions'];
export const MESSAGES = ['POST /v1/messages'];
export const GENERATE_CONTENT = ['POST /v1beta/models/*'];
export const CHATS = [...CHAT_COMPLETIONS, ...MESSAGES, ...GENERATE_CONTENT];
export const IMAGES = ['POST /v1/images/generations'];
export const IMAGE_FILES = ['GET /__emulator/files/images/*'];
export const SPEECH = ['POST /v1/audio/speech'];
export const VOICES = ['GET /v1/audio/voices', 'GET /v1/voice/models/list'];
export const NEW_VOICES = ['POST /v1/voice/model', 'POST /v1/voice-clone/create-model'];
export const NEW_SONGS = ['POST /v1/music/generations', 'POST /v1/music/generate'];
export const SONGS = ['GET /v1/music/tasks/*', 'GET /v1/music/query'];
export const MODELS = ['GET /v1/models'];
export const RERANK = ['POST /v1/rerank'];
export const EMBEDDINGS = ['POST /v1/embeddings'];
export const UTILITIES = ['GET /v2/apis/*'];
