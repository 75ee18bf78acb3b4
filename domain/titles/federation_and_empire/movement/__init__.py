"""Movement, reactions, missions, stasis, retrograde, Orions and the WYN.

Imports the kit and other rooms of this title.
"""
