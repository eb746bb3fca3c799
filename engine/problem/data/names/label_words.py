"""Words for numbered things between which there is nothing: gauges, nodes, samples; in the languages of the words for places."""

from __future__ import annotations

from .column_names import has_unit, without_unit
from .name_words import words_in

_BY_LANGUAGE = (
    "node gauge channel sensor probe sample specimen station site well detector electrode point mode patient subject plot run",
    "id no nr number",
    "knoten kanal messstelle messpunkt stelle probe prüfling stationsnummer brunnen detektor elektrode punkt nummer lfd",
    "knoop kanaal monster meetpunt punt nummer",
    "noeud nœud canal capteur échantillon eprouvette éprouvette puits point numéro",
    "nodo canal muestra probeta estación pozo punto paciente número",
    "nodo canale sensore campione provino stazione pozzo punto paziente numero",
    "nó amostra estação poço ponto número",
)
MOST_WORDS = 3  # of a name of things: sample ID no.
LABEL_WORDS = frozenset(word for words in _BY_LANGUAGE for word in words.split())


def says_label(name: str) -> bool:
    """Whether a name is that of numbered things, its first or last word: Node, gauge no., Sample ID. What has a unit is none."""
    words = words_in(without_unit(name))
    return 0 < len(words) <= MOST_WORDS and not has_unit(name) and any(_alone(w) in LABEL_WORDS for w in (words[0], words[-1]))


def _alone(word: str) -> str:
    """Without the ending of several."""
    word = word.casefold()
    return word if word in LABEL_WORDS or not word.endswith("s") else word[:-1]
