"""Words for quantities in the languages in which names of months are read: frecuencia, Frequenz and FREQUENCY are one."""

from __future__ import annotations

import unicodedata

# English, German, Dutch, French, Spanish, Italian, Portuguese; each line is one quantity
_QUANTITIES = (
    "frequency frequencies freq eigenfrequency eigenfrequencies frequenz frequenzen eigenfrequenz eigenfrequenzen frequentie "
    "eigenfrequentie frequence frequences frecuencia frecuencias frequenza frequenze frequencia frequencias",
    "displacement deflection verschiebung durchbiegung auslenkung verplaatsing doorbuiging deplacement fleche desplazamiento "
    "flecha spostamento freccia deslocamento",
    "temperature temp temperatur temperatuur temperatura",
    "pressure druck druk pression presion pressione pressao",
    "force kraft kracht fuerza forza forca",
    "stress spannung spanning contrainte tension tensione tensao",
    "strain dehnung rek deformation deformacion deformazione deformacao",
    "velocity speed geschwindigkeit snelheid vitesse velocidad velocita velocidade",
    "acceleration beschleunigung versnelling aceleracion accelerazione aceleracao",
    "damping dampfung daempfung demping amortissement amortiguamiento smorzamento amortecimento",
    "mass masse massa masa",
    "concentration konzentration concentratie concentracion concentrazione concentracao",
    "flow discharge durchfluss abfluss debiet debit caudal portata vazao",
    "level pegel wasserstand peil niveau nivel livello",
    "density dichte dichtheid densite densidad densita densidade",
    "step schritt zeitschritt stap pas paso passo",
    "time zeit tijd temps tiempo tempo",
    "depth tiefe diepte profondeur profundidad profondita profundidade",
    "distance entfernung abstand afstand distancia distanza",
    "longitude lon longi lng langengrad lengtegraad longitud longitudine",
    "latitude lat lati breitengrad breedtegraad latitud latitudine",
    "wavelength wellenlange wellenlaenge golflengte",
    "value wert messwert waarde valeur valor valore",
)
_CALLED = {word: line.split()[0] for line in _QUANTITIES for word in line.split()}


def in_english(word: str) -> str:
    """A word for a quantity in English, of several languages; else the word itself, as it is."""
    plain = "".join(c for c in unicodedata.normalize("NFD", word.casefold()) if not unicodedata.combining(c))
    return _CALLED.get(plain, word)
