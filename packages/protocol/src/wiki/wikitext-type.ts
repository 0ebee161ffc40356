/** The media type of TiddlyWiki's wikitext. */
export const wikitextType = 'text/vnd.tiddlywiki'
